// @ts-check
/**
 * Whether this browser can show a table (docs/phones.md, the oldest browsers). A plain script in words that browsers
 * from 2012 on know, because those that fail here run it: no module, no `const`, no arrow.
 *
 * It asks for features, one for each engine, that came with the oldest version in which a table is played, and not for
 * names of browsers. What it finds is `data-plays` of the page, "yes" or "no". A page that cannot go on leads to the
 * address in the script's `data-plain`; others show what has `data-too-old`. Where the modules of a table have not come
 * after ten seconds, what has `data-late` says so.
 */
(function () {
  "use strict";
  var LATE = 10000, TRIED = "loaded-again";
  var root = document.documentElement;
  var script = document.getElementById("oldest");
  var plain = (script && script.getAttribute("data-plain")) || "";

  /** @param {string} property @param {string} value */
  function knows(property, value) {
    return !!window.CSS && !!window.CSS.supports && window.CSS.supports(property, value);
  }

  function plays() {
    // Chromium 90, Safari 16.0, Samsung Internet 15; Firefox has it since 81.
    var isNew = "noModule" in document.createElement("script") && knows("overflow", "clip");
    // Only Firefox knows the first, and the second since 115.
    return isNew && (!knows("-moz-orient", "inline") || knows("animation-composition", "add"));
  }

  /** @param {string} name of the attribute of what is shown */
  function show(name) {
    var found = document.querySelectorAll("[" + name + "]");
    for (var i = 0; i < found.length; i += 1) found[i].removeAttribute("hidden");
  }

  function isBusy() {
    var game = document.getElementById("game");
    return !!game && game.getAttribute("aria-busy") === "true";
  }

  /** Load a big screen again by itself, once: nobody is there who would. Then the plain one. */
  function leadOn() {
    var wasTried = true;
    try {
      wasTried = window.sessionStorage.getItem(TRIED) === "yes";
      window.sessionStorage.setItem(TRIED, wasTried ? "" : "yes");
    } catch (error) { /* without a storage it is not tried */ }
    if (wasTried) window.location.replace(plain);
    else window.location.reload();
  }

  var isFine = plays();
  root.setAttribute("data-plays", isFine ? "yes" : "no");
  if (!isFine && plain) {
    window.location.replace(plain);
    return;
  }
  document.addEventListener("DOMContentLoaded", function () {
    if (!isFine) {
      show("data-too-old");
      return;
    }
    var only = document.querySelectorAll("[data-unless-plays]");
    for (var i = 0; i < only.length; i += 1) only[i].setAttribute("disabled", "");
    window.setTimeout(function () {
      if (!isBusy()) return;
      if (plain) leadOn();
      else show("data-late");
    }, LATE);
  });
})();

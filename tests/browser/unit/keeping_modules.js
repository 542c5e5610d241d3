// @ts-check
/** A device that several share: which seat it shows (games/shell/keeping.js). */
import { Keeping } from "games/shell/keeping.js";
import { equal } from "/unit/assert.js";

/** A shared device: its own seat is 0, and it keeps two more. */
function device() {
  document.body.innerHTML = '<p id="turnbar"></p><p id="own-moves" hidden><a href="/">…</a></p>'
    + '<dialog id="menu"></dialog><p id="announce"></p><p id="announce-urgent"></p>';
  const shell = {
    seats: [0, 1, 2].map((seat) => ({ seat, name: `Seat ${seat}` })),
    seat: /** @type {number | null} */ (0),
    you: { seat: 0 },
    socket: new EventTarget(),
    wanted: /** @type {(number | null)[]} */ ([]),
    hand: (/** @type {number | null} */ seat) => {
      shell.wanted.push(seat);
      return true;
    },
  };
  const keeping = new Keeping(shell);
  const asked = (/** @type {number[]} */ ...seats) =>
    keeping.see([0, 1, 2].map((seat) => ({ seat, asked: seats.includes(seat), secret: false })));
  const arrive = () => {
    shell.seat = shell.wanted.at(-1) ?? null;
    keeping.handed();
  };
  const tap = (/** @type {number} */ seat) =>
    /** @type {HTMLElement} */ (keeping.bar.querySelector(`[data-seat="${seat}"]`)).click();
  return { shell, keeping, asked, arrive, tap };
}

export function test_it_goes_to_the_seat_that_is_asked() {
  const { shell, asked, arrive } = device();
  asked(0);
  equal(shell.wanted, []);
  asked(1);
  arrive();
  asked(1, 2);
  equal(shell.wanted, [1]);
}

export function test_a_seat_that_was_tapped_is_shown_until_something_is_entered() {
  const { shell, keeping, asked, arrive, tap } = device();
  asked(0, 1);
  tap(2);
  arrive();
  asked(0, 1);
  asked(1);
  equal(shell.seat, 2);
  keeping.entered(2);
  equal(shell.wanted, [2, 1]);
}

export function test_the_answer_to_what_was_entered_before_leaves_the_seat_that_was_tapped() {
  const { shell, keeping, asked, arrive, tap } = device();
  asked(0, 1);
  tap(2);
  arrive();
  keeping.entered(0);
  asked(1);
  equal(shell.wanted, [2]);
}

export function test_who_taps_another_seat_has_chosen_that_one() {
  const { shell, asked, arrive, tap } = device();
  asked(0);
  tap(2);
  arrive();
  tap(1);
  arrive();
  asked(0);
  equal(shell.wanted, [2, 1]);
}

export function test_a_seat_that_is_kept_no_more_is_left() {
  const { shell, keeping, asked, arrive, tap } = device();
  asked(0);
  tap(2);
  arrive();
  keeping.see([{ seat: 0, asked: true, secret: false }, { seat: 1, asked: false, secret: false }]);
  equal(shell.wanted, [2, 0]);
}

export function test_it_goes_on_after_a_welcome_though_a_seat_that_it_asked_for_was_refused() {
  const { shell, asked } = device();
  asked(1);
  shell.socket.dispatchEvent(new Event("welcome"));
  asked(2);
  equal(shell.wanted, [1, 2]);
}

export async function test_it_does_not_go_on_under_an_open_sheet() {
  const { shell, asked, arrive } = device();
  asked(1);
  arrive();
  const menu = /** @type {HTMLDialogElement} */ (document.getElementById("menu"));
  menu.showModal();
  asked(2);
  equal(shell.wanted, [1]);
  const closed = new Promise((resolve) => menu.addEventListener("close", resolve));
  menu.close();
  await closed;
  equal(shell.wanted, [1, 2]);
}

// @ts-check
/** Roll files of tables whose dice follow from chains: what the check must find in them. */
import { Chain, facesOf } from "games/dice/chains.js";
import { check } from "games/dice/roll_file.js";
import { equal, holds } from "/unit/assert.js";

const HEAD = "time,table,roller,kind,level,faces,proof";
const secret = (/** @type {number} */ byte) => new Uint8Array(32).fill(byte);
const server = Chain.grown("server", secret(1), 300);
const seats = [Chain.grown("seat", secret(2), 100), Chain.grown("seat", secret(3), 100)];
const row = (/** @type {string} */ kind, /** @type {string} */ level, /** @type {string} */ faces, proof = "") =>
  `x,t,Ada,${kind},${level},${faces},${proof}`;

/** The rows of a throw of two dice and of one more; `over` are changes in its proof. */
function rowsOf(/** @type {number} */ k, over = {}) {
  const links = { 0: seats[0].link(k), 1: seats[1].link(k) };
  const all = { table: "t", k, n: 2, ctx: "ab", server: server.link(k), links, level: "A", ...over };
  const faces = facesOf(all, 3), given = Object.entries(all.links).map((pair) => pair.join(":")).join(".");
  const proof = (/** @type {number} */ at) => `k=${all.k} n=2 at=${at} seat=0 ctx=ab server=${all.server}`
    + (given ? ` links=${given}` : "");
  const two = faces.slice(0, 2).join(" ");
  return [row("roll", all.level, two, proof(0)), row("line", all.level, `${faces[2]}`, proof(2))];
}

const SEAL = row("seal", "pnd1", "", `commitment=${server.tip} first=1 length=300`);
const TIPS = seats.map((chain, seat) => row("tip", "pnd1", "", `seat=${seat} tip=${chain.tip}`));

function found(/** @type {string[]} */ ...rows) {
  return check([HEAD, SEAL, ...TIPS, ...rows].join("\n")).get("t");
}

export function testATableInPlayCanBeCheckedAtOnce() {
  equal(found(...[1, 2, 3, 4].flatMap((k) => rowsOf(k))), { rolls: 8, typed: 0, sealed: false, faults: [] });
}

export function testARowThatIsChangedIsFound() {
  const rows = rowsOf(1);
  for (const [from, to] of [[/A,\d/, "A,7"], [/ctx=ab/, "ctx=ac"], [/server=.{4}/, "server=0000"], [/n=2/, "n=3"]]) {
    holds(found(String(rows[0]).replace(from, String(to)), rows[1]).faults.length > 0, String(from));
  }
}

export function testALinkOfAnotherThrowIsFound() {
  const links = { 0: seats[0].link(1), 1: seats[1].link(2) };
  equal(found(...rowsOf(1, { links })).faults, ["k=1: seat 1"]);
}

export function testTheHousesLinkOfAnotherThrowIsFound() {
  equal(found(...rowsOf(1, { server: server.link(2) })).faults, ["k=1: server"]);
}

export function testALevelThatNamesMorePhonesThanGaveLinksIsFound() {
  const links = { 0: seats[0].link(1) };
  equal(found(...rowsOf(1, { links })).faults.length, 2);
  equal(found(...rowsOf(1, { links, level: "B" })).faults, []);
  equal(found(...rowsOf(1, { links: {}, level: "C" })).faults, []);
}

export function testAThrowThatStandsTwiceIsFound() {
  holds(found(...rowsOf(2), ...rowsOf(1)).faults.length > 0);
}

export function testTheFileOfOnePlayerHasGapsAndIsInOrder() {
  equal(found(...rowsOf(3), ...rowsOf(7)).faults, []);
}

export function testWithoutAGapNoLinkIsLeftOut() {
  const links = { 0: seats[0].link(3), 1: seats[1].link(2) };
  equal(found(...rowsOf(1), ...rowsOf(2, { links })).faults, ["k=2: seat 0"]);
}

export function testANewTipIsFollowedFromThen() {
  const other = Chain.grown("seat", secret(9), 50);
  const tip = row("tip", "pnd1", "", `seat=1 tip=${other.tip}`);
  const links = { 0: seats[0].link(2), 1: other.link(1) };
  equal(found(...rowsOf(1), tip, ...rowsOf(2, { links })).faults, []);
  equal(found(...rowsOf(1), ...rowsOf(2, { links })).faults, ["k=2: seat 1"]);
}

export function testSeveralNewTipsInAThrowLeaveItTheChainThatItBeganWith() {
  const others = [9, 8].map((byte) => Chain.grown("seat", secret(byte), 50));
  const tips = others.map((chain) => row("tip", "pnd1", "", `seat=1 tip=${chain.tip}`));
  const links = { 0: seats[0].link(3), 1: others[1].link(1) };
  equal(found(...rowsOf(1), ...tips, ...rowsOf(2), ...rowsOf(3, { links })).faults, []);
}

export function testTheHousesNextChainBeginsAtItsFirstThrow() {
  const next = Chain.grown("server", secret(8), 50);
  const seal = row("seal", "pnd1", "", `commitment=${next.tip} first=3 length=50`);
  const rows = [...rowsOf(1), seal, ...rowsOf(2), ...rowsOf(3, { server: next.link(1) })];
  equal(found(...rows, ...rowsOf(4, { server: next.link(2) })).faults, []);
}

export function testRowsWithoutTheirSealOrTipAreFound() {
  const bare = check([HEAD, ...rowsOf(1)].join("\n")).get("t");
  equal(bare?.faults, ["k=1: server", "k=1: seat 0", "k=1: seat 1"]);
  const cut = check([HEAD, SEAL, row("roll", "A", "6 6", "k=1 n=2")].join("\n")).get("t");
  equal(cut?.faults.length, 1);
}

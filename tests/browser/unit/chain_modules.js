// @ts-check
/** Chains of hashes and the dice that follow from them: by the vectors of docs/fair-dice.md. */
import { Chain, facesOf, follows } from "games/dice/chains.js";
import { equal, holds } from "/unit/assert.js";

const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const server = Chain.grown("server", SECRET, 1000);
const seats = [0x11, 0x22].map((byte) => Chain.grown("seat", new Uint8Array(32).fill(byte), 1000));

function thrown(/** @type {number} */ k, /** @type {number} */ n) {
  const links = { 1: seats[0].link(k), 2: seats[1].link(k) };
  return { table: "game-0001", k, n, ctx: "", server: server.link(k), links };
}

export function testTheTipsAreThoseOfTheVectors() {
  equal([server, ...seats].map((chain) => chain.tip), [
    "dfb5b741689ea22dddc4bd5ecfd5544f2046c1bd14b750707d85b9ef4b379d0b",
    "8d928da5010168cd3e7d2fff7ae006d4bcd32685e71e147b9098ed44b3dc9e94",
    "f9d3ec99aef8d3f72477abdec03d800da6078f94f270d81a4c9ba2a3c6e9b14a",
  ]);
}

export function testTheDiceAreThoseOfTheVectors() {
  equal([1, 2, 3].map((k) => facesOf(thrown(k, 2))), [[5, 1], [1, 2], [6, 3]]);
  equal([1, 2, 3].map((k) => facesOf(thrown(k, 3))), [[2, 3, 2], [3, 4, 4], [4, 3, 1]]);
}

export function testEachLinkFollowsTheOneBeforeItAndNoOther() {
  for (const length of [1, 31, 32, 33, 100]) {
    const chain = Chain.grown("seat", SECRET, length);
    for (let i = 1; i <= length; i++) {
      const last = i > 1 ? chain.link(i - 1) : chain.tip;
      holds(follows("seat", chain.link(i), last), `link ${i} of ${length}`);
      holds(!follows("server", chain.link(i), last), `link ${i} of another party's chain`);
    }
  }
  holds(!follows("seat", seats[0].link(2), seats[0].tip), "a link that leaves one out");
}

export function testTiesThrownAgainTakeTheNextFacesOfTheSameThrow() {
  const faces = facesOf(thrown(1, 2), 40);
  equal(faces.length, 40);
  equal(faces.slice(0, 2), [5, 1]);
}

export function testEveryPartOfAThrowCounts() {
  const first = thrown(1, 2), plain = JSON.stringify(facesOf(first, 20));
  const others = [
    { ...first, table: "game-0002" }, { ...first, k: 2 }, { ...first, n: 3 }, { ...first, ctx: "00" },
    { ...first, server: server.link(2) }, { ...first, links: { 1: first.links[1] } },
    { ...first, links: { 1: first.links[2], 2: first.links[1] } },
  ];
  for (const other of others) holds(JSON.stringify(facesOf(other, 20)) !== plain);
}

export function testLinksAreFedBySeatWhateverTheirOrder() {
  const { links, ...rest } = thrown(1, 2);
  const many = { ...rest, links: { 10: links[1], 2: links[2] } };
  equal(facesOf(many, 9), facesOf({ ...rest, links: { 2: links[2], 10: links[1] } }, 9));
}

export function testAChainIsKeptByFewOfItsLinks() {
  const chain = Chain.grown("seat", SECRET, 1024);
  holds(chain.marks.length === 33);
  equal(new Chain("seat", 1024, chain.marks).link(777), chain.link(777));
}

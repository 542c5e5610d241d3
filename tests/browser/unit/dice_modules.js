// @ts-check
/** The check of roll files: hashes by their published vectors, and the faults that it must find. */
import { check, rowsOf } from "games/dice/roll_file.js";
import { bytesOf, hexOf, hmac, sha256 } from "games/dice/sha256.js";
import { equal, holds } from "/unit/assert.js";

const TEXT = new TextEncoder();
const HEAD = "time,table,roller,kind,level,faces,proof";

function hash(/** @type {string} */ text) {
  return hexOf(sha256(TEXT.encode(text)));
}

export function testTheHashIsThatOfThePublishedVectors() {
  equal(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  equal(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  equal(
    hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
  equal(hash("a".repeat(1000)), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

export function testTheKeyedHashIsThatOfThePublishedVectors() {
  const jefe = hmac(TEXT.encode("Jefe"), TEXT.encode("what do ya want for nothing?"));
  equal(hexOf(jefe), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const long = hmac(
    new Uint8Array(131).fill(0xaa),
    TEXT.encode("Test Using Larger Than Block-Size Key - Hash Key First"),
  );
  equal(hexOf(long), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

export function testACellInQuotesMayHoldCommasQuotesAndLines() {
  const rows = rowsOf('\ufeffa,b,c\r\n"1,\r\n""2""",,x\r\n3,4,5\r\n');
  equal(rows, [{ a: '1,\r\n"2"', b: "", c: "x" }, { a: "3", b: "4", c: "5" }]);
}

export function testAFileThatIsNoRollFileIsWrongAndNothingBreaks() {
  equal([...check("")], []);
  const found = [...check(`${HEAD}\nx,t,Ada,seal,sealed,,nonsense\nx,t,Ada,roll,dice,6 6,\n`)];
  equal(found.map(([name, each]) => [name, each.faults.length, each.typed]), [["t", 1, 1]]);
}

export function testATableInPlayIsSealedAndCountsItsRolls() {
  const salt = hash("a\nb");
  const seal = `x,t,house,seal,sealed,,commitment=00 salt=${salt} numbers=61.62`;
  const found = check(`${HEAD}\n${seal}\nx,t,Ada,roll,sealed,6 6,\n`).get("t");
  equal(found, { rolls: 1, typed: 0, sealed: true, faults: [] });
}

export function testWhatIsNoHexIsRefused() {
  for (const text of ["0", "zz", "0x11"]) {
    let refused = false;
    try { bytesOf(text); } catch { refused = true; }
    holds(refused, text);
  }
}

import fc from 'fast-check';

/** Characters that mean something to one reader or another. */
const SPECIAL = [
  ...'%+&=?/\\:;,.@#"\'{}[]()<>-_~*| \t\r\n\0',
  '\x7f',
  'ä',
  '\ud800',
  '\udc00',
  '😀',
  '%2',
  '%ff',
  '%C3%A4',
];

/** A text that is short, and likely to hold what readers look for. */
export const text: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** What `whole` makes, half of the time with a few faults in it. */
export function spoilt(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const fault = fc.record({
    at: fc.nat(10_000),
    put: fc.oneof(fc.constantFrom(...SPECIAL), text),
    cut: fc.nat(3),
  });
  const faults = fc.oneof(fc.constant([]), fc.array(fault, { minLength: 1, maxLength: 3 }));
  return fc.tuple(whole, faults).map(([start, all]) =>
    all.reduce((made, { at, put, cut }) => {
      const place = at % (made.length + 1);
      return made.slice(0, place) + put + made.slice(place + cut);
    }, start),
  );
}

/** Bytes, mostly those of a text. */
export function bytes(of: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const raw = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array));
  return fc.oneof(
    { weight: 4, arbitrary: of.map((made) => Buffer.from(made)) },
    of.map((made) => Buffer.from(made, 'latin1')),
    raw,
  );
}

/** The same bytes in pieces. */
export function inPieces(of: fc.Arbitrary<Buffer>): fc.Arbitrary<{ whole: Buffer; pieces: Buffer[] }> {
  return fc.tuple(of, fc.array(fc.nat(10_000), { maxLength: 5 })).map(([whole, cuts]) => {
    const places = cuts.map((at) => at % (whole.length + 1)).sort((one, other) => one - other);
    return { whole, pieces: [0, ...places].map((from, index) => whole.subarray(from, places[index])) };
  });
}

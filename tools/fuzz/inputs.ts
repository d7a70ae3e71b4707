import fc from 'fast-check';

/** Characters with a meaning to some reader. */
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

/** A short text with many such characters. */
export const text: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** A text of `whole`, in half of the cases with a few faults. */
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

/** Bytes, mostly of a text. */
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

import type { Sealer } from './sealer.ts';

/** What a sealed text holds: values of JSON. */
type SealedObject = Readonly<Record<string, unknown>>;

/** Seals an object as a text (base64url) that opens until this time, in epoch milliseconds. For the cookies of pages. */
export function sealedText(sealer: Sealer, purpose: string, object: object, until: number): string {
  return sealer.seal(purpose, JSON.stringify({ object, until })).toString('base64url');
}

/** The object in a sealed text. Undefined if the text is for another purpose, forged, or too old at `now`. */
export function openText(
  sealer: Sealer,
  purpose: string,
  text: string,
  now: number,
): SealedObject | undefined {
  const opened = sealer.open(purpose, Buffer.from(text, 'base64url'));
  if (opened === undefined) return undefined;
  const { object, until } = JSON.parse(opened.toString()) as { object: SealedObject; until: number };
  return now < until ? object : undefined;
}

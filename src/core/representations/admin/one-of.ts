import type { TLiteral, TUnion } from 'typebox';
import { Type } from '../../schema.ts';

/** One of these texts. Its type names them, so the typed client does too. */
export function oneOf<const V extends readonly string[]>(
  texts: V,
  options?: Record<string, unknown>,
): TUnion<{ -readonly [K in keyof V]: TLiteral<V[K] & string> }> {
  return Type.Union(
    texts.map((text) => Type.Literal(text)),
    options,
  ) as never;
}

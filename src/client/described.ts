import type { Static, TObject, TSchema } from 'typebox';

/** The part of a descriptor that the client reads. All of it is types: no descriptor runs in the client. */
export interface DescriptorTypes {
  readonly method: string;
  readonly paths: readonly string[];
  readonly input: { readonly path?: TObject; readonly query?: TObject; readonly body?: TObject };
  readonly output: { readonly schema: TSchema };
}

/** The JSON that an operation answers. */
export type AnswerOf<D extends DescriptorTypes> = Static<D['output']['schema']>;

/** The JSON object that an operation takes. */
export type BodyOf<D extends DescriptorTypes> = D['input'] extends { readonly body: infer B extends TObject }
  ? Static<B>
  : undefined;

/** How to call an operation. A route that contradicts the descriptor does not compile. */
export interface Route<D extends DescriptorTypes> {
  readonly method: D['method'];
  readonly path: D['paths'][number];
  /** Whether a body has the promised shape, as far as the client depends on it. */
  readonly answers: (body: unknown) => body is AnswerOf<D>;
}

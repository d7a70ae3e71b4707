import type { Static, TObject, TSchema } from 'typebox';

/** What is read of an operation's descriptor. All of it is types: nothing of a descriptor runs in the client. */
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

/** How an operation is called: what does not agree with its descriptor does not compile. */
export interface Route<D extends DescriptorTypes> {
  readonly method: D['method'];
  readonly path: D['paths'][number];
  /** Whether a body has the shape that the descriptor promises, as far as the client builds on it. */
  readonly answers: (body: unknown) => body is AnswerOf<D>;
}

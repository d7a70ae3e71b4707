import type { Static, TObject, TSchema } from 'typebox';
import type actiondefsGet from '../capabilities/action-definitions/operations/rule/actiondefs.get.ts';
import type constraintGet from '../capabilities/action-definitions/operations/rule/constraint.get.ts';
import type validatePost from '../capabilities/action-definitions/operations/rule/validate.post.ts';
import type { RefusalCode } from '../core/domain/refusal.ts';
import type loginPost from '../core/operations/login.post.ts';

/** The part of a descriptor that the client reads. All of it is types: no descriptor runs in the client. */
interface DescriptorTypes {
  readonly method: string;
  readonly paths: readonly string[];
  readonly input: { readonly path?: TObject; readonly query?: TObject; readonly body?: TObject };
  readonly output: { readonly schema: TSchema };
}

/** The JSON that an operation answers. */
export type AnswerOf<D extends DescriptorTypes> = Static<D['output']['schema']>;

/** The JSON object that an operation takes. */
type BodyOf<D extends DescriptorTypes> = D['input'] extends { readonly body: infer B extends TObject }
  ? Static<B>
  : undefined;

/** How to call an operation. A route that contradicts the descriptor does not compile. */
export interface Route<D extends DescriptorTypes> {
  readonly method: D['method'];
  readonly path: D['paths'][number];
  /** Whether a body has the promised shape, as far as the client depends on it. */
  readonly answers: (body: unknown) => body is AnswerOf<D>;
}

/** The input of a login. */
export type Credentials = BodyOf<typeof loginPost>;

/** The answer to a login and to a validation. */
export type TicketGiven = AnswerOf<typeof loginPost>['data'];

/** An action definition in a list. */
export type ListedActionDefinition = AnswerOf<typeof actiondefsGet>[number];

/** The values of an action's parameters, by name. */
export type ParameterValues = NonNullable<BodyOf<typeof validatePost>['parameterValues']>;

/** Whether an action is valid. If not, every fault of it, with its place as a JSON pointer (RFC 6901). */
export type Validation = AnswerOf<typeof validatePost>;

/** A constraint of parameters with the values that it allows. None if they are not known. */
export type ListedConstraint = AnswerOf<typeof constraintGet>['data'];

/** Why a call was refused. `unnamed` if the server names no known code: decide by the status then. */
export type Code = RefusalCode | 'unnamed';

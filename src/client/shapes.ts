import type { RefusalCode } from '../domain/refusal.ts';
import type loginPost from '../operations/login.post.ts';
import type actiondefsGet from '../operations/rule/actiondefs.get.ts';
import type { AnswerOf, BodyOf } from './described.ts';

/** The input of a login. */
export type Credentials = BodyOf<typeof loginPost>;

/** The answer to a login and to a validation. */
export type TicketGiven = AnswerOf<typeof loginPost>['data'];

/** An action definition in a list. */
export type ListedActionDefinition = AnswerOf<typeof actiondefsGet>[number];

/** Why a call was refused. `unnamed` if the server names no known code: decide by the status then. */
export type Code = RefusalCode | 'unnamed';

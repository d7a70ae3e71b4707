import type { RefusalCode } from '../domain/refusal.ts';
import type loginPost from '../operations/login.post.ts';
import type actiondefsGet from '../operations/rule/actiondefs.get.ts';
import type { AnswerOf, BodyOf } from './described.ts';

/** What a login takes. */
export type Credentials = BodyOf<typeof loginPost>;

/** What a login and a validation give. */
export type TicketGiven = AnswerOf<typeof loginPost>['data'];

/** An action definition, as a list shows it. */
export type ListedActionDefinition = AnswerOf<typeof actiondefsGet>[number];

/** Why a call was refused. `unnamed` is what a server gives that names no code: decide by the status then. */
export type Code = RefusalCode | 'unnamed';

import type actiondefsGet from '../capabilities/action-definitions/operations/rule/actiondefs.get.ts';
import type constraintGet from '../capabilities/action-definitions/operations/rule/constraint.get.ts';
import type constraintsGet from '../capabilities/action-definitions/operations/rule/constraints.get.ts';
import type validatePost from '../capabilities/action-definitions/operations/rule/validate.post.ts';
import type loginPost from '../core/operations/login.post.ts';
import type loginticketDelete from '../core/operations/loginticket.delete.ts';
import type loginticketGet from '../core/operations/loginticket.get.ts';
import type { AnswerOf, Route } from './shapes.ts';

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function hasTicket(body: unknown): body is AnswerOf<typeof loginPost> {
  const ticket = member(member(body, 'data'), 'ticket');
  return typeof ticket === 'string' && ticket !== '';
}

export const LOGIN = {
  method: 'POST',
  path: '/api/login',
  answers: hasTicket,
} as const satisfies Route<typeof loginPost>;

export const VALIDATE = {
  method: 'GET',
  path: '/api/login/ticket/{ticket}',
  answers: hasTicket,
} as const satisfies Route<typeof loginticketGet>;

export const LOGOUT = {
  method: 'DELETE',
  path: '/api/login/ticket/{ticket}',
  answers: (body): body is AnswerOf<typeof loginticketDelete> =>
    member(member(body, 'status'), 'code') === 200,
} as const satisfies Route<typeof loginticketDelete>;

const list = {
  method: 'GET',
  answers: (body: unknown): body is AnswerOf<typeof actiondefsGet> => Array.isArray(body),
} as const;

/** The list of action definitions, by its scope. */
export const ACTION_DEFINITIONS = {
  all: { ...list, path: '/api/rules/actiondefs' },
  node: { ...list, path: '/api/node/{store_type}/{store_id}/{id}/actiondefs' },
  path: { ...list, path: '/api/path/{store_type}/{store_id}/{id}/actiondefs' },
} as const satisfies Record<string, Route<typeof actiondefsGet>>;

/** A validation answers 422 if the action is not valid. */
export const VALIDATE_ACTION = {
  method: 'POST',
  path: '/api/rules/actiondefs/{actionDefinitionName}/validate',
  alsoAnswers: 422,
  answers: (body): body is AnswerOf<typeof validatePost> =>
    member(body, 'valid') === true || Array.isArray(member(body, 'faults')),
} as const satisfies Route<typeof validatePost> & { alsoAnswers: (typeof validatePost)['alsoAnswers'] };

export const CONSTRAINTS = {
  method: 'GET',
  path: '/api/actionConstraints',
  answers: (body): body is AnswerOf<typeof constraintsGet> => Array.isArray(member(body, 'data')),
} as const satisfies Route<typeof constraintsGet>;

export const CONSTRAINT = {
  method: 'GET',
  path: '/api/actionConstraints/{name}',
  answers: (body): body is AnswerOf<typeof constraintGet> =>
    Array.isArray(member(member(body, 'data'), 'values')),
} as const satisfies Route<typeof constraintGet>;

import type {
  Code,
  Credentials,
  ListedActionDefinition,
  ListedConstraint,
  ParameterValues,
  TicketGiven,
  Validation,
} from '../src/client/shapes.ts';

/** A value of this type. For it the compiler writes out the members, not the name of the type. */
declare function shown<T>(): { [K in keyof T]: T[K] };

// Writes out the types of `src/client/shapes.ts`, so that the published client imports no file of the server.
export const credentials = shown<Credentials>();
export const ticketGiven = shown<TicketGiven>();
export const listedActionDefinition = shown<ListedActionDefinition>();
export const listedConstraint = shown<ListedConstraint>();
export const parameterValues = shown<ParameterValues>();
export const validation = shown<Validation>();
export const code = shown<Record<Code, true>>();

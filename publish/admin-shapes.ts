import type { AdminEvent, AdminOperations, StreamFilter } from '../src/client/admin-shapes.ts';

/** A value of this type. For it the compiler writes out the members, and those of each, not the names of the types. */
declare function shown<T>(): { [K in keyof T]: T[K] };
declare function shownByName<T>(): { [K in keyof T]: { [L in keyof T[K]]: T[K][L] } };

// Writes out the types of `src/client/admin-shapes.ts`, so that the published client imports no file of the server.
export const adminOperations = shownByName<AdminOperations>();
export const adminEvent = shown<AdminEvent>();
export const streamFilter = shown<StreamFilter>();

import type { Settings } from '../../src/core/settings/table.ts';
import { servedWith } from '../../src/faces/description/served.ts';
import { operations } from '../../src/main/operations.ts';
import { Departures, type Exchange } from '../faces/description/openapi/departure.ts';

const kept = new Map<string, Departures>();
const services = new Map<string, Departures>();

/** From now on every answer of this service is held against the OpenAPI document of what it serves. */
export function describe(url: string, settings: Settings): void {
  const { index, gateAnswers, gateUserHeader, gateDetails, basePaths } = settings;
  const serving = { index, gateAnswers, gateUserHeader, gateDetails };
  const key = JSON.stringify([serving, basePaths]);
  const departures = kept.get(key) ?? new Departures(servedWith(settings, operations), basePaths);
  kept.set(key, departures);
  services.set(new URL(url).origin, departures);
}

/** Throws when an answer of a service under test departs from the document. */
export function assertDescribed(origin: string, exchange: Exchange): void {
  const departure = services.get(origin)?.of(exchange);
  if (departure === undefined) return;
  const { method, target, status, text } = exchange;
  throw new Error(
    `the answer departs from the OpenAPI document: ${departure}\n${method} ${target}: ${status} ${text}`,
  );
}

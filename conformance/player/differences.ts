import { Compile } from 'typebox/schema';
import type { ExpectedAnswer } from './case-file.ts';
import { filled, filledJson, filledPattern, type Variables } from './variables.ts';
import type { ReceivedAnswer } from './wire.ts';

/** One difference between the expected answer and the received one. */
export interface CaseDifference {
  readonly expected: string;
  readonly came: string;
}

type Judge = (expected: ExpectedAnswer, received: ReceivedAnswer, variables: Variables) => CaseDifference[];

const nothingIf = (fits: boolean, expected: string, came: string): CaseDifference[] =>
  fits ? [] : [{ expected, came }];

const status: Judge = ({ status: wanted }, received) => {
  const all = [wanted].flat();
  return nothingIf(all.includes(received.status), `status ${all.join(' or ')}`, `status ${received.status}`);
};

const headers: Judge = ({ headers: wanted = {} }, received, variables) =>
  Object.entries(wanted).flatMap(([name, value]) => {
    const came = received.headers[name]?.toString();
    const said = came === undefined ? `no ${name}` : `${name}: ${came}`;
    if (value === null) return nothingIf(came === undefined, `no ${name}`, said);
    if (typeof value === 'string')
      return nothingIf(came === filled(value, variables), `${name}: ${filled(value, variables)}`, said);
    const pattern = filledPattern(value.pattern, variables);
    return nothingIf(came !== undefined && pattern.test(came), `${name} like ${pattern.source}`, said);
  });

const bodyText: Judge = ({ body, pattern, holds = [], lacks = [] }, { text }, variables) => {
  const came = `body ${JSON.stringify(text)}`;
  const whole = body === undefined ? undefined : filled(body, variables);
  const shape = pattern === undefined ? undefined : filledPattern(pattern, variables);
  const parts = (list: readonly string[]) => list.map((part) => filled(part, variables));
  return [
    ...nothingIf(whole === undefined || whole === text, `body ${JSON.stringify(whole)}`, came),
    ...nothingIf(shape === undefined || shape.test(text), `body like ${shape?.source}`, came),
    ...parts(holds).flatMap((part) => nothingIf(text.includes(part), `body that holds ${part}`, came)),
    ...parts(lacks).flatMap((part) => nothingIf(!text.includes(part), `body without ${part}`, came)),
  ];
};

const bodyJson: Judge = ({ schema }, { text }, variables) => {
  if (schema === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ expected: 'body in JSON', came: `body ${JSON.stringify(text)}` }];
  }
  const [fits, faults] = Compile(filledJson(schema, variables) as object).Errors(value);
  if (fits) return [];
  // For a member that is not allowed, the fault of its object says more.
  const fault = faults.find(({ keyword }) => keyword !== 'boolean') ?? faults[0];
  const params = JSON.stringify(fault?.params ?? {});
  return [
    {
      expected: `body ${fault?.instancePath ?? ''} ${fault?.message} ${params}`,
      came: `body ${JSON.stringify(text)}`,
    },
  ];
};

/** All differences between the expected answer and the received one. */
export function differences(
  expected: ExpectedAnswer,
  received: ReceivedAnswer,
  variables: Variables,
): CaseDifference[] {
  return [status, headers, bodyText, bodyJson].flatMap((judge) => judge(expected, received, variables));
}

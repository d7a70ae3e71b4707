import { Compile } from 'typebox/schema';
import type { ExpectedAnswer } from './document.ts';
import { filled, filledJson, filledPattern, type Variables } from './variables.ts';
import type { Heard } from './wire.ts';

/** One thing that was expected and did not come. */
export interface CaseDifference {
  readonly expected: string;
  readonly came: string;
}

type Judge = (expected: ExpectedAnswer, heard: Heard, variables: Variables) => CaseDifference[];

const nothingIf = (fits: boolean, expected: string, came: string): CaseDifference[] =>
  fits ? [] : [{ expected, came }];

const status: Judge = ({ status: wanted }, heard) => {
  const all = [wanted].flat();
  return nothingIf(all.includes(heard.status), `status ${all.join(' or ')}`, `status ${heard.status}`);
};

const headers: Judge = ({ headers: wanted = {} }, heard, variables) =>
  Object.entries(wanted).flatMap(([name, value]) => {
    const came = heard.headers[name]?.toString();
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
  // Of a member that is not allowed the object tells more.
  const fault = faults.find(({ keyword }) => keyword !== 'boolean') ?? faults[0];
  const params = JSON.stringify(fault?.params ?? {});
  return [
    {
      expected: `body ${fault?.instancePath ?? ''} ${fault?.message} ${params}`,
      came: `body ${JSON.stringify(text)}`,
    },
  ];
};

/** All that an answer differs in from what was expected of it. */
export function differences(expected: ExpectedAnswer, heard: Heard, variables: Variables): CaseDifference[] {
  return [status, headers, bodyText, bodyJson].flatMap((judge) => judge(expected, heard, variables));
}

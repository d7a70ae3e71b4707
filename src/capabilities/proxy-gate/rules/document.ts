import type { Static } from 'typebox';
import { Type } from '../../../core/schema.ts';
import { duration } from '../../../core/settings/parsers.ts';

/** The milliseconds of a length such as `15m` or `PT15M`. Throws if it is neither. */
export function lengthIn(text: string): number {
  const [, number, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (number === undefined) return duration(text);
  return duration(unit === 'd' ? `P${number}D` : `PT${number}${unit.toUpperCase()}`);
}

const closed = { additionalProperties: false } as const;

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, description }));

const Members = Type.Object(
  {
    groups: names('Groups, with or without GROUP_. Members of a nested group count too.'),
    users: names('Names of users.'),
  },
  { ...closed, minProperties: 1, description: 'Members of one of the groups, and the users.' },
);

const Rule = Type.Object(
  {
    host: Type.Optional(
      Type.String({
        description:
          'The host without a port, such as wiki.example.org, or *.example.org for every host below it. Any host when left out.',
      }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The name of the service at this host, for people. The host when left out.',
      }),
    ),
    logo: Type.Optional(
      Type.String({
        pattern: '^/[^/\\\\]',
        description:
          'The path of its picture at the portal, such as /logos/wiki.svg. Its first letter stands for it when left out.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        description:
          'This path and every path below it, decoded: /täglich and not /t%C3%A4glich. Any path when left out.',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        description:
          'In place of path: exactly the paths of this form. * stands for one segment, ** for any number of segments, such as /users/*/files/**.',
      }),
    ),
    methods: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description: 'Methods such as GET, which includes HEAD. Any method when left out.',
      }),
    ),
    networks: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        description:
          'Addresses and ranges of clients, such as 10.0.0.0/8 or 2001:db8::/32. Any address when left out.',
      }),
    ),
    allow: Type.Union([Type.Literal('public'), Type.Literal('signed-in'), Type.Literal('none'), Members], {
      description:
        'public: every request, without a ticket. signed-in: every user. none: no request. Or the groups and users that may.',
    }),
    factor: Type.Optional(
      Type.Union([Type.Literal('second'), Type.Literal('passkey')], {
        description:
          'What users have to have signed in with. second: a second factor, or a passkey. passkey: a passkey. Anything when left out.',
      }),
    ),
    fresh: Type.Optional(
      Type.String({
        description:
          'How long ago users may have signed in, such as 15m, 8h, 1d or PT15M. Any time ago when left out.',
      }),
    ),
  },
  closed,
);

/** The schema of the document of the gate's rules (specification, section 20). The first rule that fits decides. */
export const RulesDocument = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    rules: Type.Array(Rule, {
      description: 'The first rule that fits a request decides. A request that none fits is not let through.',
    }),
  },
  { ...closed, title: 'Rules of the gate' },
);

export type RulesDocument = Static<typeof RulesDocument>;

/** A rule as the document has it. */
export type WrittenRule = RulesDocument['rules'][number];

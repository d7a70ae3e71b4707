import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { bodyUnreadable, isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { AnyOperation, InputSchemas } from '../operation.ts';
import type { Call } from './call.ts';

type Part = keyof InputSchemas;
type Checked = Partial<Record<Part, unknown>>;

/** Checks a call's input against its operation's schemas, and gives the parts that it declares. */
export type InputCheck = (call: Call) => Checked | Refusal;

/** The first fault of `value`, as the refusal that its member's schema names, or as what its part is refused for. */
function faultOf(part: Part, validator: Validator, schema: TSchema, value: unknown): Refusal {
  const [, [fault]] = validator.Errors(value);
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    Record<string, unknown>
  >;
  const pointed = fault?.instancePath.split('/')[1];
  const [missing] = fault?.keyword === 'required' ? fault.params.requiredProperties : [];
  const member = pointed || missing;
  if (member === undefined) return bodyUnreadable('it is no JSON object');
  const code = properties[member]?.refusal as RefusalCode | undefined;
  if (part === 'query' && code === undefined)
    return refuse('argument_invalid', { detail: `${member} (${properties[member]?.description})` });
  return fault?.keyword === 'type' || code === undefined
    ? bodyUnreadable(`"${member}" is no ${properties[member]?.type}`)
    : refuse(code);
}

/** Compiles the input check of an operation, once. */
export function inputCheck({ input }: AnyOperation): InputCheck {
  const parts = Object.entries(input).map(([part, schema]) => ({
    part: part as Part,
    schema,
    validator: Compile(schema),
  }));
  return (call) => {
    const checked: Checked = {};
    for (const { part, schema, validator } of parts) {
      const value = part === 'body' ? call.body() : { json: call[part] };
      if (isRefusal(value)) return value;
      if (!validator.Check(value.json)) return faultOf(part, validator, schema, value.json);
      checked[part] = value.json;
    }
    return checked;
  };
}

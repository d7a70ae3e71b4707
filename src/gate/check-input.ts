import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { bodyUnreadable, isRefusal, type Refusal, type RefusalCode, refuse } from '../domain/refusal.ts';
import type { AnyOperation, InputSchemas } from '../operation.ts';
import type { Call } from './call.ts';

type InputPart = keyof InputSchemas;
type Checked = Partial<Record<InputPart, unknown>>;

/** Checks a call's input against its operation's schemas, and gives the parts that it declares. */
export type InputCheck = (call: Call) => Checked | Refusal;

/** The refusal that a member's schema names for this value: `refusalFor` is the pattern of the values that it is for. */
function refusalOf(schema: Record<string, unknown> = {}, value: unknown): RefusalCode | undefined {
  const { refusal, refusalFor = '' } = schema;
  return new RegExp(refusalFor as string).test(String(value)) ? (refusal as RefusalCode) : undefined;
}

/** The first fault of `value`, as the refusal that its member's schema names, or as what its part is refused for. */
function faultOf(part: InputPart, validator: Validator, schema: TSchema, value: unknown): Refusal {
  const [, [fault]] = validator.Errors(value);
  const properties = ('properties' in schema ? schema.properties : {}) as Record<
    string,
    Record<string, unknown>
  >;
  const pointed = fault?.instancePath.split('/')[1];
  const [missing] = fault?.keyword === 'required' ? fault.params.requiredProperties : [];
  const member = pointed || missing;
  if (member === undefined) return bodyUnreadable('it is no JSON object');
  const code = refusalOf(properties[member], (value as Record<string, unknown>)[member]);
  if (part === 'path' && code === undefined)
    throw new Error(
      `the schema of the path refuses "${member}": make a name Type.Optional that one of the paths lacks, and give a narrowed one its refusal`,
    );
  if (part === 'query' && code === undefined)
    return refuse('argument_invalid', { detail: `${member} (${properties[member]?.description})` });
  return fault?.keyword === 'type' || code === undefined
    ? bodyUnreadable(`"${member}" is no ${properties[member]?.type}`)
    : refuse(code);
}

/** An object without its members that are null; any other value as it is. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/** Compiles the input check of an operation, once. */
export function inputCheck({ input, api }: AnyOperation): InputCheck {
  const parts = Object.entries(input).map(([part, schema]) => ({
    part: part as InputPart,
    schema,
    validator: Compile(schema),
  }));
  return (call) => {
    const checked: Checked = {};
    for (const { part, schema, validator } of parts) {
      const value = part === 'body' ? call.body() : { json: call[part] };
      if (isRefusal(value)) return value;
      const given = part === 'body' && api?.nullIsLeftOut ? withoutNulls(value.json) : value.json;
      if (!validator.Check(given)) return faultOf(part, validator, schema, given);
      checked[part] = given;
    }
    return checked;
  };
}

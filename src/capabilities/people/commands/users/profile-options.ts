import { type Command, Option } from 'commander';
import {
  faultOfProfile,
  PROFILE_FIELDS,
  type Profile,
  type ProfileField,
} from '../../../../core/domain/profile.ts';
import { isRole, ROLES, type Role } from '../../../../core/domain/role.ts';
import { CommandRefused } from '../../../../faces/cli/failure.ts';

const DESCRIPTIONS: Readonly<Record<ProfileField, string>> = {
  firstName: 'First name.',
  lastName: 'Last name.',
  email: 'E-mail address. It is no credential.',
  organization: 'Organization.',
  jobTitle: 'Job title.',
  telephone: 'Telephone number.',
  mobile: 'Mobile number.',
  location: 'Where the user works.',
  description: 'Anything else.',
};

/** The value of `--role` that takes a role away. */
const NO_ROLE = 'none';

/** A flag for a role. */
export function roleOption(description: string): Option {
  return new Option('--role <role>', description).choices([...ROLES, NO_ROLE]);
}

/** The role in `--role`. `{}` if the flag is not given; an undefined role takes the role away. */
export function roleIn(options: Readonly<Record<string, unknown>>): { readonly role?: Role | undefined } {
  if (typeof options.role !== 'string') return {};
  return { role: isRole(options.role) ? options.role : undefined };
}

/** Adds a flag for each field of a profile, and one for the role. */
export function withProfile(command: Command): Command {
  for (const field of PROFILE_FIELDS) {
    const flag = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.option(`--${flag} <text>`, DESCRIPTIONS[field]);
  }
  return command.addOption(roleOption('Role in administration.'));
}

/** The fields in the flags. Throws {@link CommandRefused} for a value that no field can have. */
export function profileIn(options: Readonly<Record<string, unknown>>): Profile {
  const fields = PROFILE_FIELDS.flatMap((field) => {
    const value = options[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  const profile: Profile = Object.fromEntries(fields);
  const fault = faultOfProfile(profile);
  if (fault !== undefined) throw new CommandRefused(`Refused: ${fault}.`);
  return profile;
}

import type { AnyOperation } from '../core/operation.ts';
import type { SettingGroup } from '../core/settings/table.ts';
import type { Sweep } from '../core/storage/sweep.ts';
import type { TakeOver } from '../core/storage/take-over.ts';
import type { UnitTable } from '../engines/sql/statement.ts';
import type { DoctorCheck } from '../faces/cli/doctor-check.ts';
import type { MakeCommand } from '../faces/cli/terminal.ts';
import type { AccountSections, OtherCredentials } from '../faces/pages/account-sections.ts';
import type { UserSections } from '../faces/pages/console/user-sections.ts';

/** What all capabilities show on pages of others. */
export interface PageSections {
  readonly accountSections: readonly AccountSections[];
  readonly otherCredentials: readonly OtherCredentials[];
  readonly userSections: readonly UserSections[];
}

/**
 * What a capability adds to the service. `main/capabilities.ts` lists them: a capability is removed with its folder and its line
 * there. What is loaded on demand is a function that imports it.
 */
export interface Capability {
  /** The name of its folder. */
  readonly id: string;
  readonly settings?: SettingGroup;
  /** Where it keeps its data: members of units, which it declares for `ReadUnit` and `WriteUnit`. */
  readonly tables?: readonly UnitTable[];
  readonly operations?: () => Promise<readonly AnyOperation[]>;
  /** The pages for people, served with the portal. Those of the account and of a user show the sections of all. */
  readonly pages?: (sections: PageSections) => Promise<readonly AnyOperation[]>;
  /** What it shows of the user on the account page. */
  readonly accountSections?: () => Promise<AccountSections>;
  /** The credentials that it gives to users: "This was not me" lists and removes them. */
  readonly otherCredentials?: () => Promise<OtherCredentials>;
  /** What it shows of a user in the console. */
  readonly userSections?: () => Promise<UserSections>;
  /** The commands by their names. */
  readonly commands?: Readonly<Record<string, () => Promise<MakeCommand>>>;
  /** What it removes of a local user whom a person at a provider takes over. */
  readonly takeOver?: () => Promise<TakeOver>;
  /** What the sweeper removes of its data when the time is over. */
  readonly sweep?: () => Promise<Sweep>;
  /** What the doctor examines. */
  readonly checks?: () => Promise<readonly DoctorCheck[]>;
}

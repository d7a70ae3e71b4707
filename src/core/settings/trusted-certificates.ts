import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SettingsFaulty } from './read.ts';
import { type SettingKey, variableOf } from './table.ts';

/** The certificates (PEM) in the file of this setting; undefined for no file. Throws {@link SettingsFaulty}. */
export function certificatesIn(setting: SettingKey, file: string): string | undefined {
  if (file === '') return undefined;
  const faulty = (why: string) => new SettingsFaulty([`${variableOf(setting)}: ${why}`]);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw faulty(`the file cannot be read: ${(error as Error).message}`);
  }
  try {
    // If the text held no certificate, Node would use its own list instead.
    new X509Certificate(text);
    return text;
  } catch {
    throw faulty('the file holds no certificate in PEM: convert it, such as with openssl x509');
  }
}

import { fstatSync, readFileSync, readlinkSync } from 'node:fs';

/** A socket that systemd has opened and listens on, as `tessera.socket` says. */
export interface InheritedPlace {
  readonly fd: number;
  readonly setting: string;
}

/** The inode of a socket as `/proc` names it; undefined if the descriptor is no socket. */
const inodeOf = (fd: number) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];

/** The path of an open Unix socket; empty if the system does not tell. */
export function socketPathOf(fd: number): string {
  try {
    const inode = inodeOf(fd);
    for (const line of readFileSync('/proc/net/unix', 'utf8').split('\n')) {
      const [, , , , , , number, ...path] = line.split(' ').filter((word) => word !== '');
      if (number === inode) return path.join(' ');
    }
  } catch {
    // Not every system has /proc. The path is only for the log.
  }
  return '';
}

/** Throws an error with a code of the system if this descriptor is no open socket. */
export function assertSocket(fd: number): void {
  if (!fstatSync(fd).isSocket()) throw Object.assign(new Error('it is no socket'), { code: 'ENOTSOCK' });
}

/** Processes of both roles over one store, which are replaced one by one as a release is rolled out. */
import { expect } from 'vitest';
import type { FaultStore } from './fault-store.ts';
import { findFreePort, type ServiceProcess, spawnService } from './service-process.ts';

/** The built program of a release; missing = this one's. */
type Program = string | undefined;

export interface Member {
  role: 'api' | 'worker';
  port: number;
  program: Program;
  process: ServiceProcess;
}

export interface RolledFleet {
  members: Member[];
  /** Started beside the others, and ready. */
  join(role: Member['role'], program?: Program): Promise<void>;
  /** Asked to end, which it does in good order, and started anew on its port. */
  replace(member: Member, program?: Program): Promise<void>;
  /** Of those that answer. */
  listPorts(): number[];
  /** One of them, by turns. */
  portOf(turn: number): number;
  close(): Promise<void>;
}

export function openFleet(store: () => FaultStore, env: Record<string, string>): RolledFleet {
  const members: Member[] = [];
  const listPorts = () => members.filter(({ role }) => role === 'api').map(({ port }) => port);

  async function start({ role, port }: Pick<Member, 'role' | 'port'>, program: Program) {
    const made = { ...store(), port, env: { ...env, ROLE: role } };
    const started = spawnService({ ...made, ...(program === undefined ? {} : { program }) });
    await (role === 'api' ? started.ready() : started.said('is ready'));
    return started;
  }

  return {
    members,
    async join(role, program) {
      const port = await findFreePort();
      members.push({ role, port, program, process: await start({ role, port }, program) });
    },
    async replace(member, program) {
      member.process.signal('SIGTERM');
      const { code, signal } = await member.process.exited;
      // 0.1.0 ends with 1 where a busy machine takes it too long.
      const codes = member.program === undefined ? [0] : [0, 1];
      expect([codes.includes(code ?? -1), signal], member.process.output().slice(-2_000)).toEqual([
        true,
        null,
      ]);
      Object.assign(member, { program, process: await start(member, program) });
    },
    listPorts,
    portOf: (turn) => {
      const ports = listPorts();
      return ports[turn % ports.length] ?? 0;
    },
    async close() {
      for (const { process } of members) process.signal('SIGKILL');
      await Promise.all(members.map(({ process }) => process.exited));
    },
  };
}

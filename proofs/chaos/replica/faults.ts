/** The faults of a replica. Each begins, lasts as long as the run says, and ends with the replica whole again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { executeSql } from '../../../rig/postgres.ts'
import type { Stage } from './stage.ts'

export interface Fault {
  name: string
  happen(stage: Stage, lastingMs: number): Promise<void>
}

const SLOW = { frozenMs: 60, runningMs: 20 }
const BEHIND_MB = 96

export const FAULTS: readonly Fault[] = [
  {
    name: 'its replay is paused',
    async happen({ servers }, lastingMs) {
      await servers.pauseReplay()
      await sleep(lastingMs)
      await servers.resumeReplay()
    },
  },
  {
    name: 'it is killed',
    async happen({ servers }, lastingMs) {
      await servers.killReplica()
      await sleep(lastingMs)
      await servers.startReplica()
    },
  },
  {
    name: 'it hangs behind a dead link',
    async happen({ cutReplicaOff, reconnectReplica }, lastingMs) {
      cutReplicaOff()
      await sleep(lastingMs)
      reconnectReplica()
    },
  },
  {
    name: 'it is slow',
    async happen({ servers }, lastingMs) {
      for (const end = Date.now() + lastingMs; Date.now() < end; ) {
        servers.freezeReplica()
        await sleep(SLOW.frozenMs)
        servers.thawReplica()
        await sleep(SLOW.runningMs)
      }
    },
  },
  {
    name: 'it starts again far behind',
    async happen({ servers }, lastingMs) {
      await servers.killReplica()
      const rows = BEHIND_MB * 1_024
      await executeSql(
        servers.primary.url,
        `create table ballast as select repeat(md5(n::text), 30) as text from generate_series(1, ${rows}) n`,
      )
      await executeSql(servers.primary.url, 'drop table ballast')
      await sleep(lastingMs / 2)
      await servers.startReplica()
      await sleep(lastingMs / 2)
    },
  },
]

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../rig/postgres.ts'
import { toEnvironment } from '../../../rig/settings.ts'
import type { Config } from '../../../src/config.ts'

/** The measured process. */
export interface MeasuredServer extends AsyncDisposable {
  oursUrl: string
  bareUrl: string
  /** User and system time of the whole process since its start, its other threads included. */
  readCpuMs(): Promise<number>
}

const PROGRAM = join(import.meta.dirname, 'server-process.ts')
const ANSWER_TIMEOUT_MS = 30_000

export async function startMeasuredServer(config: Config): Promise<MeasuredServer> {
  const child = fork(PROGRAM, {
    // Every request writes its log line, as in production; nobody reads it.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...toEnvironment(config, await findFreePort()) },
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  }
  try {
    const { oursUrl, bareUrl } = await hear<{ oursUrl: string; bareUrl: string }>(child)
    return {
      oursUrl,
      bareUrl,
      readCpuMs: async () => {
        child.send('cpu')
        const { user, system } = await hear<NodeJS.CpuUsage>(child)
        return (user + system) / 1_000
      },
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Its next message. */
async function hear<Message>(child: ChildProcess): Promise<Message> {
  const heard = new AbortController()
  const { signal } = heard
  const message = once(child, 'message', { signal }).then(([value]) => value as Message)
  const ended = once(child, 'exit', { signal }).then(([code]) =>
    Promise.reject(new Error(`it ended with code ${code}`)),
  )
  const late = sleep(ANSWER_TIMEOUT_MS, null, { signal }).then(() => Promise.reject(new Error('it did not answer')))
  try {
    return await Promise.race([message, ended, late])
  } catch (cause) {
    throw new Error('the measured server is of no use', { cause })
  } finally {
    heard.abort()
    await Promise.allSettled([ended, late])
  }
}

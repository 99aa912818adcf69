import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface WebProcess extends AsyncDisposable {
  /** The value of SIMULATED_WEB that leads the product to it. */
  setting: string
}

const PROGRAM = join(import.meta.dirname, 'web-process.ts')
// A world of thousands of sites is read and given certificates before it serves.
const START_TIMEOUT_MS = 120_000

/** Serves the sites of a world from a process of its own. `scratch` is a folder for its certificate authority. */
export async function startWeb(world: { folder: string }, scratch: string): Promise<WebProcess> {
  const child = fork(PROGRAM, [world.folder, join(scratch, 'authority.pem')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const ready = once(child, 'message').then(([message]) => (message as { simulatedWeb: string }).simulatedWeb)
  const ended = once(child, 'exit').then(([code]) => new Error(`the simulated web ended with code ${code}`))
  const late = sleep(START_TIMEOUT_MS, new Error('the simulated web did not start in time'), { ref: false })
  const first = await Promise.race([ready, ended, late])
  if (first instanceof Error) {
    await stop()
    throw first
  }
  return { setting: first, [Symbol.asyncDispose]: stop }
}

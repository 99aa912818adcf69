/**
 * Commands of `nameplated`, run as an operator does: with settings, arguments and an exit code, in a process of their own. It
 * stays for all commands of a worker of tests, because loading the program takes longer than nearly every command.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { programEnvironment } from '../../rig/program.ts'
import type { Settings } from '../../rig/settings.ts'

/** A command that has ended, with its output. */
export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface CommandLine {
  settings: Settings
  argv: readonly string[]
}

let child: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs the command when those before it have ended. */
export function runCommand(settings: Settings, argv: readonly string[]): Promise<Ran> {
  const ran = last.then(() => ask({ settings, argv }))
  last = ran.catch(() => undefined)
  return ran
}

async function ask(line: CommandLine): Promise<Ran> {
  const program = (child ??= start())
  const { promise, resolve, reject } = Promise.withResolvers<Ran>()
  const fail = () => reject(new Error(`the process of commands ended while it ran ${line.argv.join(' ')}`))
  program.once('message', resolve).once('exit', fail)
  program.send(line)
  try {
    return await promise
  } finally {
    program.off('message', resolve).off('exit', fail)
  }
}

function start(): ChildProcess {
  const program = fork(join(import.meta.dirname, 'command-process.ts'), {
    env: programEnvironment(),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  program.once('exit', () => {
    child = undefined
  })
  // It ends with this process, which need not wait for it.
  program.unref()
  program.channel?.unref()
  return program
}

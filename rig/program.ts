/** Starts a program of this repository as a process: the service itself, or a file that prints `ready`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './postgres.ts'
import { listenSettings, type Settings } from './settings.ts'

export type Command = 'serve' | 'work' | 'all' | 'follow'

export interface Program extends AsyncDisposable {
  child: ChildProcess
  pid: number
  /** The address of its API, if it serves. */
  url: string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Sends SIGTERM as an operator does, so that work in flight is finished; returns the exit code. */
  stop(): Promise<number | null>
}

export interface ProgramOptions {
  /** Beyond those that lead to the database and the web. */
  more?: Settings
  /** The folder of another release. */
  root?: string
  port?: number
  onLog?: (chunk: Buffer) => void
  /** Ends the process then, whatever became of the run. */
  lifeMs?: number
}

const ROOT = join(import.meta.dirname, '..')

/** Runs `nameplate <command>` and returns when it has started. */
export async function startProgram(
  command: Command,
  settings: Settings,
  options: ProgramOptions = {},
): Promise<Program> {
  const port = options.port ?? (await findFreePort())
  const program = [join(options.root ?? ROOT, 'src/main.ts'), command]
  const more = { DATABASE_CONNECTIONS_MAX: '20', ...listenSettings(port), ...options.more }
  return startFile(program, { ...settings, ...more }, { ...options, port })
}

/** Nothing of the caller's settings. What Node has compiled once, for the caller too, starts in half the time. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE = join(tmpdir(), 'nameplate-compiled') } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

const STARTED = /^ready$|service\.started/m

/** Runs a file with its arguments and returns when its output says that it has started. */
export async function startFile(
  program: readonly string[],
  settings: Settings,
  { onLog, lifeMs, port = 0 }: Pick<ProgramOptions, 'onLog' | 'lifeMs' | 'port'> = {},
): Promise<Program> {
  const child = spawn(process.execPath, [...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...programEnvironment(), ...settings },
    ...(lifeMs === undefined ? {} : { timeout: lifeMs, killSignal: 'SIGKILL' }),
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    void exited.then((code) => reject(new Error(`${program.join(' ')} ended with code ${code}`)))
    // Read to the end of its life: a pipe that is not read would stop it.
    child.stdout.on('data', (chunk: Buffer) => {
      onLog?.(chunk)
      if (STARTED.test(chunk.toString('latin1'))) resolve()
    })
  })
  const end = (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  const kill = async () => void (await end('SIGKILL'))
  return {
    child,
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    kill,
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: kill,
  }
}

/** The program of `runCommand`: `nameplated`, which runs one command line after the other and sends what each has written. */
import { loadConfig } from '../../src/config.ts'
import { runCommandLine } from '../../src/entry/cli/program.ts'
import { createLog } from '../../src/lib/log.ts'
import { protectGlobalFetch } from '../../src/lib/web/outgoing-fetch.ts'
import type { CommandLine } from './commands.ts'

const writeOut = process.stdout.write.bind(process.stdout)
const writeError = process.stderr.write.bind(process.stderr)

protectGlobalFetch()
process.once('disconnect', () => process.exit())
process.on('message', (line) => void run(line as CommandLine).then((ran) => process.send?.(ran)))

async function run({ settings, argv }: CommandLine) {
  using stdout = capture(process.stdout, writeOut)
  using stderr = capture(process.stderr, writeError)
  const code = await runCommandLine(
    {
      loadConfig: (kind) => loadConfig(settings, kind),
      migrate: async (config) => {
        const { migrateDatabase } = await import('../../src/service.ts')
        return migrateDatabase(config, createLog({ level: config.logLevel }))
      },
      start: () => Promise.reject(new Error('a service that stays is started as a program')),
    },
    argv,
  )
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

/** Keeps what is written to the stream until it is disposed of. */
function capture(stream: NodeJS.WriteStream, write: NodeJS.WriteStream['write']): { text(): string } & Disposable {
  const chunks: Buffer[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string))
    const written = rest.find((each) => typeof each === 'function')
    if (written) queueMicrotask(() => written())
    return true
  }
  return {
    text: () => Buffer.concat(chunks).toString(),
    [Symbol.dispose]: () => {
      stream.write = write
    },
  }
}

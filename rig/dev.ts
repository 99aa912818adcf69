/** `npm run dev`: help, and what must hold before anything starts. The rest is loaded when it is needed. */
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LOCAL, ORIGIN, PORTS, RUNNING } from './dev-settings.ts'
import { isFree } from './postgres.ts'
import { findRunning, forgetRunning, writeRunning } from './running.ts'

const HELP = `npm run dev

Starts PostgreSQL, a mailbox, a simulated register and web, the service and a ready account. Nothing leaves this machine;
the data is in the folder .local.

  PORT=4100 npm run dev            another port for the service (${PORTS.service} now); the others follow it:
                                   MAILBOX_PORT=${PORTS.mailboxPage} OUTSIDE_PORT=${PORTS.outsidePage} SMTP_PORT=${PORTS.smtp} POSTGRES_PORT=${PORTS.postgres}
  LOCAL_FOLDER=.local-2 PORT=4100 npm run dev   a second one beside the first, with data of its own
  DATABASE_URL=postgresql://… npm run dev   a database of your own instead of the one it starts
  LOG_LEVEL=debug npm run dev      more of the log
  npm run dev -- --help            this text`

/** Ends the process if another one uses the folder, else writes down that this one does. */
async function claimFolder(): Promise<void> {
  mkdirSync(LOCAL, { recursive: true })
  const other = findRunning(RUNNING)
  if (other) {
    console.error(
      `npm run dev is already running, at ${other.address} (process ${other.pid}). Use that one, or stop it first.`,
    )
    process.exit(1)
  }
  await assertFree()
  writeRunning(RUNNING, { pid: process.pid, address: ORIGIN })
}

/** Fails before anything starts if another program uses a port. */
async function assertFree(): Promise<void> {
  const { postgres, ...others } = PORTS
  // A PostgreSQL that a killed run left behind is used again.
  const isOurs = process.env['DATABASE_URL'] !== undefined || existsSync(join(LOCAL, 'postgres/data/postmaster.pid'))
  for (const port of [...Object.values(others), ...(isOurs ? [] : [postgres])]) {
    if (await isFree(port)) continue
    console.error(`Another program uses port ${port}. Stop it, or choose other ports: PORT=4100 npm run dev`)
    process.exit(1)
  }
}

const [argument] = process.argv.slice(2)
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h'
  console.log(isHelp ? HELP : `npm run dev takes no ${argument}.\n\n${HELP}`)
  process.exit(isHelp ? 0 : 2)
}

try {
  await claimFolder()
  const { startDev } = await import('./start-dev.ts')
  await startDev()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n`)
  console.error('npm run dev could not start. To start with an empty database, remove the folder .local')
  forgetRunning(RUNNING)
  process.exit(1)
}

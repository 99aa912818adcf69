/** Where `npm run dev` keeps its data and listens, as the environment has it. */
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
export const LOCAL = resolve(ROOT, process.env['LOCAL_FOLDER'] ?? '.local')
export const RUNNING = join(LOCAL, 'running.json')
const FIRST_PORT = readPort('PORT', 4000)
export const PORTS = {
  service: FIRST_PORT,
  mailboxPage: readPort('MAILBOX_PORT', FIRST_PORT + 1),
  outsidePage: readPort('OUTSIDE_PORT', FIRST_PORT + 2),
  smtp: readPort('SMTP_PORT', FIRST_PORT + 25),
  postgres: readPort('POSTGRES_PORT', FIRST_PORT + 32),
}
export const ORIGIN = `http://localhost:${PORTS.service}`

function readPort(name: string, usual: number): number {
  const port = Number(process.env[name] ?? usual)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  console.error(`${name} must be a number from 1 to 65535.`)
  process.exit(2)
}

/** Which service, with which key: of the environment, or as `nameplate login` kept it for this person. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Nameplate } from '../typescript/src/index.ts'

export interface Connection {
  baseUrl: string
  apiKey: string
}

export class NotConnected extends Error {
  constructor() {
    super(
      'You are not logged in. Run: nameplate login --url <address of the API>\nor set NAMEPLATE_API_URL and NAMEPLATE_API_KEY.',
    )
  }
}

function fileOf(): string {
  const folder = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(folder, 'nameplate', 'connection.json')
}

export function findConnection(): Connection | null {
  const kept = readKept()
  const baseUrl = process.env['NAMEPLATE_API_URL'] ?? kept?.baseUrl
  const apiKey = process.env['NAMEPLATE_API_KEY'] ?? kept?.apiKey
  return baseUrl && apiKey ? { baseUrl, apiKey } : null
}

function readKept(): Partial<Connection> | null {
  try {
    return JSON.parse(readFileSync(fileOf(), 'utf8')) as Partial<Connection>
  } catch {
    return null
  }
}

/** Nobody else on the machine can read it. */
export function keepConnection(connection: Connection): string {
  const file = fileOf()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  return file
}

export function connect(): Nameplate {
  const connection = findConnection()
  if (!connection) throw new NotConnected()
  return new Nameplate(connection)
}

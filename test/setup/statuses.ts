import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const STATUSES = 'statuses-'

/** Every `METHOD /path STATUS` of the committed document that no test's answer has had. */
export function reportUntestedStatuses(notesDirectory: string): string[] {
  const seen = new Set(
    readdirSync(notesDirectory)
      .filter((name) => name.startsWith(STATUSES))
      .flatMap((name) => readFileSync(join(notesDirectory, name), 'utf8').split('\n')),
  )
  return listDocumented(readOpenApi()).filter((answer) => !seen.has(answer))
}

/** Returns the committed document; a test says that it is what the code says. */
export function readOpenApi(): OpenApi {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as OpenApi
}

export interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, unknown>; security?: object[] }>>
}

export function listDocumented(document: OpenApi): string[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      Object.keys(operation.responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  )
}

export function statusesFile(notesDirectory: string): string {
  return join(notesDirectory, `${STATUSES}${process.pid}-${Math.random().toString(36).slice(2)}`)
}

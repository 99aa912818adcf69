/** Each example of a body in the API's description is one that the service takes: a person who copies it is not refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTestService } from './setup/harness.ts'

interface Operation {
  operationId: string
  parameters?: Array<{ name: string; example: string | number }>
  requestBody?: { content?: Record<string, { example?: object }> }
}

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const it = useTestService()

/** Refusals that no example avoids: it has no link that was sent, no host that exists and no test key. */
const REFUSED_FOR_OTHERS: Readonly<Record<string, RegExp>> = {
  resetPassword: /invalid_token/,
  registerDestination: /could not be looked up/,
  raiseTestSignal: /must be your test key/,
}

const examples = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
    const example = requestBody?.content?.['application/json']?.example
    const parameter = (name: string) => String(parameters.find((one) => one.name === name)?.example)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(parameter(name)))
    return example ? [{ operationId, method: method.toUpperCase(), path: filled, example }] : []
  }),
)

test('the example of every body can be sent as it is', async () => {
  expect(examples.length).toBeGreaterThan(35)
  const refused: string[] = []
  for (const { operationId, method, path, example } of examples) {
    // Some of them end the account, or its session.
    const { token } = await it.openAccount()
    const { status, text } = await it.call(method, path, { token, body: example })
    if (status === 400 && !REFUSED_FOR_OTHERS[operationId]?.test(text)) refused.push(`${operationId}: ${text}`)
  }
  expect(refused).toEqual([])
})

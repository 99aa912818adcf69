import { appendFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Called } from '../../rig/call.ts'
import type { OpenApi } from './statuses.ts'

/** Holds every answer of a test against the OpenAPI document, and notes which answers were seen. */
export class Contract {
  readonly #ajv: Ajv2020
  readonly #notesFile: string
  readonly #find: FindOperation<OpenApi['paths'][string][string]>

  constructor(document: OpenApi, notesFile: string) {
    this.#notesFile = notesFile
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    ;(addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv)
    this.#ajv.addSchema({ ...document, $id: 'openapi' })
    this.#find = createOperationFinder(document)
  }

  check({ method: verb, url, reply: { status, headers, body } }: Called): void {
    const found = this.#find(verb, url.pathname)
    if (!found) return
    const { template, method, operation } = found
    const where = `${verb} ${template} ${status}`
    const documented = operation.responses[String(status)] as { content?: Record<string, unknown> } | undefined
    if (!documented)
      throw new Error(`${where} is not in docs/openapi.json (npm run openapi writes it): ${JSON.stringify(body)}`)
    appendFileSync(this.#notesFile, `${where}\n`)
    if (status === 302) return
    // A file has the type that the document names, and is read by its own test.
    const contentType = headers.get('content-type') ?? ''
    const [mediaType = ''] = contentType.split(';')
    if (mediaType !== 'application/json' && documented.content?.[mediaType]) return
    if (!contentType.startsWith('application/json')) throw new Error(`${where} came as ${contentType}`)
    const escape = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1')
    const pointer = ['paths', template, method, 'responses', String(status), 'content', 'application/json', 'schema']
    const validate = this.#ajv.getSchema(
      `openapi#/${pointer.map((part) => encodeURIComponent(escape(part))).join('/')}`,
    )
    if (!validate) throw new Error(`${where} has no schema in the OpenAPI document`)
    if (!validate(body)) {
      throw new Error(
        `${where} does not match its schema: ${this.#ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      )
    }
  }
}

type FindOperation<Operation> = (
  verb: string,
  pathname: string,
) => { template: string; method: string; operation: Operation; values: Record<string, string> } | undefined

/** Returns a function that finds the operation of a request, with the values in its path. */
export function createOperationFinder<Operation>({
  paths,
}: {
  paths: Record<string, Record<string, Operation>>
}): FindOperation<Operation> {
  // As a router does: a path that is written out comes before one with a parameter.
  const templates = Object.keys(paths).sort((one, other) => countNames(one) - countNames(other))
  const patterns = templates.map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  return (verb, pathname) => {
    const method = verb.toLowerCase()
    for (const { template, pattern } of patterns) {
      const match = pattern.exec(pathname)
      const operation = paths[template]?.[method]
      if (match) return operation && { template, method, operation, values: { ...match.groups } }
    }
    return undefined
  }
}

function countNames(template: string): number {
  return template.split('{').length
}

import { appendFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Called } from '../../rig/call.ts'
import type { OpenApi } from './statuses.ts'

/** Holds every answer of a test against the OpenAPI document, and notes which answers were seen. */
export class Contract {
  readonly #document: OpenApi
  readonly #ajv: Ajv2020
  readonly #notesFile: string
  readonly #templates: Array<{ template: string; pattern: RegExp }>

  constructor(document: OpenApi, notesFile: string) {
    this.#document = document
    this.#notesFile = notesFile
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    ;(addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv)
    this.#ajv.addSchema({ ...document, $id: 'openapi' })
    // As a router does: a path that is written out comes before one with a parameter.
    const paths = Object.keys(document.paths).sort((one, other) => countNames(one) - countNames(other))
    this.#templates = paths.map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    }))
  }

  check({ method: verb, url, reply: { status, headers, body } }: Called): void {
    const template = this.#templates.find(({ pattern }) => pattern.test(url.pathname))?.template
    const method = verb.toLowerCase()
    const operation = template === undefined ? undefined : this.#document.paths[template]?.[method]
    if (template === undefined || !operation) return
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

function countNames(template: string): number {
  return template.split('{').length
}

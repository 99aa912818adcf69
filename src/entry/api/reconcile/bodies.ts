/** The response bodies of the Reconciliation Service API 0.2 of the W3C community group. */
import { z } from 'zod'

const NamedThing = z.object({ id: z.string(), name: z.string() })

const ServicePath = z.object({ service_url: z.url(), service_path: z.string() })

export const ManifestBody = z
  .object({
    versions: z.array(z.string()),
    name: z.string(),
    identifierSpace: z.url(),
    schemaSpace: z.url(),
    documentation: z.url(),
    logo: z.url(),
    serviceVersion: z.string(),
    defaultTypes: z.array(NamedThing),
    view: z.object({ url: z.string() }),
    preview: z.object({ url: z.string(), width: z.int(), height: z.int() }),
    suggest: z.object({ entity: ServicePath, property: ServicePath, type: ServicePath }),
    extend: z.object({
      propose_properties: ServicePath,
      property_settings: z.array(
        z.object({
          type: z.enum(['number']),
          name: z.string(),
          label: z.string(),
          default: z.number(),
          help_text: z.string(),
        }),
      ),
    }),
    batchSize: z.int().describe('The most queries in one request.'),
  })
  .meta({ id: 'ReconciliationManifest' })

const CandidateBody = z
  .object({
    id: z.string().describe('The company number.'),
    name: z.string(),
    description: z
      .string()
      .describe('What distinguishes it from companies with the same name, and the previous name if that was found.'),
    score: z.number().min(0).max(100),
    match: z
      .boolean()
      .describe(
        'True if no person needs to check it: exactly one company on the register has this name, or it is a number.',
      ),
    type: z.array(NamedThing),
    features: z.array(z.object({ id: z.string(), value: z.union([z.number(), z.boolean()]) })),
  })
  .meta({ id: 'ReconciliationCandidate' })

export const ResultBatchBody = z
  .record(z.string(), z.object({ result: z.array(CandidateBody).describe('Best first.') }))
  .meta({ id: 'ReconciliationResults', description: 'By the id of the query.' })

const CellBody = z.union([z.object({ str: z.string() }), z.object({ date: z.iso.datetime() })])

export const ExtensionBody = z
  .object({
    meta: z.array(NamedThing),
    rows: z.record(z.string(), z.record(z.string(), z.array(CellBody))).describe('By company, then by property.'),
  })
  .meta({ id: 'ReconciliationExtension' })

export const SuggestionsBody = z
  .object({
    result: z.array(
      NamedThing.extend({
        description: z.string().optional(),
        notable: z.array(NamedThing).optional().describe('The types of a suggested company.'),
      }),
    ),
  })
  .meta({ id: 'ReconciliationSuggestions' })

export const ProposedPropertiesBody = z
  .object({ type: z.string(), limit: z.int().optional(), properties: z.array(NamedThing) })
  .meta({ id: 'ReconciliationProperties' })

/** The settings of a site.json, checked and with their defaults. Keys that are not known here mean nothing. */
import { z } from 'zod'

const DELAY_MS_MAX = 600_000

const Headers = z.record(z.string(), z.union([z.string(), z.array(z.string()), z.number().transform(String)]))

const Redirect = z.union([
  z.string().transform((to) => ({ to, status: 301 })),
  z.object({ to: z.string(), status: z.number().int().min(300).max(399).default(301) }),
])

const Response = z.object({
  status: z.number().int().min(200).max(599).optional(),
  headers: Headers.default({}),
  delay_ms: z.number().int().min(0).max(DELAY_MS_MAX).default(0),
  /** Bytes are for tests that send what no text can say. */
  body: z.union([z.string(), z.instanceof(Uint8Array)]).optional(),
})

export const CERTIFICATE_FIELDS = [
  'CN',
  'O',
  'OU',
  'L',
  'ST',
  'C',
  'serialNumber',
  'jurisdictionC',
  'businessCategory',
] as const

export type CertificateField = (typeof CERTIFICATE_FIELDS)[number]

const SiteSettingsSchema = z.object({
  dns: z.enum(['ok', 'nxdomain', 'timeout']).default('ok'),
  http: z.enum(['ok', 'refused', 'reset', 'hang']).default('ok'),
  https: z.enum(['ok', 'refused', 'reset', 'hang', 'bad_certificate']).default('ok'),
  www: z.enum(['same', 'redirect', 'canonical', 'none']).default('same'),
  https_redirect: z.boolean().default(true),
  certificate: z.partialRecord(z.enum(CERTIFICATE_FIELDS), z.string()).optional(),
  redirects: z.record(z.string(), Redirect).default({}),
  responses: z.record(z.string(), Response).default({}),
  headers: Headers.default({}),
  encoding: z.string().default('utf-8'),
})

/** As it is written: every key may be left out. */
export type SiteJson = z.input<typeof SiteSettingsSchema>
export type SiteSettings = z.output<typeof SiteSettingsSchema>

export function parseSiteSettings(host: string, json: unknown): SiteSettings {
  const parsed = SiteSettingsSchema.safeParse(json)
  if (!parsed.success) throw new Error(`The site.json of ${host} is wrong:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

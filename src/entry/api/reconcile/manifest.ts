import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { VERSION } from '../../../version.ts'
import type { ManifestBody } from './bodies.ts'
import { COMPANY, COMPANY_TYPES } from './company-types.ts'
import { PROPERTY_SETTINGS } from './extension.ts'
import { PREVIEW_SIZE } from './preview.ts'
import { QUERIES_MAX } from './queries.ts'

/** Returns the service manifest, which a client reads first: what the service offers, and where. */
export function presentManifest({
  baseUrl,
  siteUrl,
}: Pick<Config, 'baseUrl' | 'siteUrl'>): z.input<typeof ManifestBody> {
  const at = (path: string) => ({ service_url: baseUrl.origin, service_path: path })
  return {
    versions: ['0.2'],
    name: 'UK companies (Nameplate)',
    // The register's own file gives every company this address, so that other services can mean the same companies.
    identifierSpace: 'http://business.data.gov.uk/id/company/',
    schemaSpace: 'https://schema.org/Organization',
    documentation: new URL('/docs/reconcile', siteUrl).href,
    logo: new URL('/assets/icon.svg', siteUrl).href,
    serviceVersion: VERSION,
    defaultTypes: [COMPANY, ...COMPANY_TYPES.slice(0, 3)],
    view: { url: viewUrl('{{id}}') },
    preview: { url: `${baseUrl.origin}/reconcile/preview?id={{id}}`, ...PREVIEW_SIZE },
    suggest: {
      entity: at('/reconcile/suggest/entity'),
      property: at('/reconcile/suggest/property'),
      type: at('/reconcile/suggest/type'),
    },
    extend: { propose_properties: at('/reconcile/properties'), property_settings: [...PROPERTY_SETTINGS] },
    batchSize: QUERIES_MAX,
  }
}

/** The register's own page, which anyone can open. */
export function viewUrl(number: string): string {
  return `https://find-and-update.company-information.service.gov.uk/company/${number}`
}

/** The settings with which processes of a run find the same database, secrets, mailbox and simulated web. */
import type { Config, PageArchiveConfig, SecondReaderConfig } from '../src/config.ts'
import { toWebSetting } from './web/setting.ts'

export type Settings = Record<string, string>

const KEY = Buffer.alloc(32, 5).toString('base64')

/** Enough for a process that only needs the database. */
export function databaseSettings(databaseUrl: string): Settings {
  return {
    ENVIRONMENT: 'development',
    BASE_URL: 'http://127.0.0.1:1',
    SITE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: databaseUrl,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'rig',
    SEALING_KEYS: `rig:${KEY}`,
    HASHING_KEY: KEY,
    LOG_LEVEL: 'error',
  }
}

/** Where a process listens. Two names of one address: the API and the site have hosts of their own, as in production. */
export function listenSettings(port: number): Settings {
  return {
    BASE_URL: `http://127.0.0.1:${port}`,
    SITE_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
  }
}

/** Turns a configuration back into the settings that describe it. */
export function toSettings(config: Config): Settings {
  const base64 = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('base64')
  return {
    ...databaseSettings(config.databaseUrl),
    BASE_URL: config.baseUrl.origin,
    SITE_URL: config.siteUrl.origin,
    SMTP_URL: config.smtpUrl ?? '',
    MAIL_FROM: config.mailFrom,
    SEALING_KEYS: config.sealingKeys.map(({ id, key }) => `${id}:${base64(key)}`).join(),
    HASHING_KEY: base64(config.hashingKeys[0]),
    HASHING_KEY_PREVIOUS: base64(config.hashingKeys[1]),
    LOG_LEVEL: 'info',
    PEOPLE_FEATURES: config.peopleFeatures ? 'on' : 'off',
    ...toPageSettings(config.pageArchive),
    ...(config.simulatedWeb ? { SIMULATED_WEB: toWebSetting(config.simulatedWeb) } : {}),
    ...(config.timeStamp
      ? {
          TIME_STAMP_URL: config.timeStamp.url.href,
          TIME_STAMP_TIMEOUT_SECONDS: String(config.timeStamp.timeoutSeconds),
        }
      : {}),
    ...(config.timeStampCertificatesFile ? { TIME_STAMP_CA_FILE: config.timeStampCertificatesFile } : {}),
    ...(config.secondReader ? toReaderSettings(config.secondReader) : {}),
  }
}

export function toPageSettings({ keepsIn, directory, s3 }: PageArchiveConfig): Settings {
  return {
    PAGE_ARCHIVE: keepsIn,
    ...(directory === null ? {} : { PAGE_ARCHIVE_DIRECTORY: directory }),
    ...(s3 && {
      PAGE_ARCHIVE_S3_ENDPOINT: s3.endpoint.origin,
      PAGE_ARCHIVE_S3_REGION: s3.region,
      PAGE_ARCHIVE_S3_BUCKET: s3.bucket,
      PAGE_ARCHIVE_S3_ACCESS_KEY: s3.accessKey,
      PAGE_ARCHIVE_S3_SECRET_KEY: s3.secretKey,
    }),
  }
}

function toReaderSettings(reader: SecondReaderConfig): Settings {
  return {
    SECOND_READER_URL: reader.url.href,
    SECOND_READER_API: reader.api,
    SECOND_READER_MODEL: reader.model,
    SECOND_READER_KEY: reader.key ?? '',
    SECOND_READER_TASKS: [...reader.tasks, ...(reader.checksAll ? ['check-all'] : [])].join(),
    SECOND_READER_PRICES: `${reader.prices.input},${reader.prices.output}`,
    SECOND_READER_BUDGET_PER_DAY: String(reader.budgetPerDay),
    SECOND_READER_TIMEOUT_SECONDS: String(reader.timeoutSeconds),
  }
}

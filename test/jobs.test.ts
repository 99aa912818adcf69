import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Program } from '../rig/program.ts'
import { migrateDatabase } from '../src/service.ts'
import { startTestService, type TestService, useTestService } from './setup/harness.ts'
import { doomedJob, sleepJob, TEST_JOBS } from './setup/jobs.ts'
import { startWorker } from './setup/process.ts'

const it = useTestService({ extraJobs: TEST_JOBS })
beforeAll(async () => {
  await it.app.db.query(CREATE_NOTES)
})

const CREATE_NOTES = `create table test_note (id bigint generated always as identity, name text, what text, pid int,
  attempt int, at timestamptz not null default clock_timestamp())`

interface Note {
  what: string
  pid: number
  attempt: number
  at: Date
}

const notesOf = (service: TestService['app'], name: string) =>
  service.db.query<Note>('select what, pid, attempt, at from test_note where name = $1 order by id', [name])

test('a job is enqueued when the transaction commits, and never when it does not', async () => {
  await expect(
    it.app.db.transaction(async (tx) => {
      await it.app.jobs.enqueue(tx, sleepJob, { name: 'rolled back', sleepMs: 0 })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, sleepJob, { name: 'committed', sleepMs: 0 }))
  await it.settle()
  expect((await notesOf(it.app, 'committed')).map((note) => note.what)).toEqual(['started', 'finished'])
  expect(await notesOf(it.app, 'rolled back')).toEqual([])
})

test('a job may be put off, and waits', async () => {
  const startAfter = new Date(Date.now() + 1_500)
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, sleepJob, { name: 'later', sleepMs: 0 }, { startAfter }))
  await sleep(500)
  expect(await notesOf(it.app, 'later')).toEqual([])
  await expect.poll(async () => (await notesOf(it.app, 'later')).length).toBe(2)
})

test('a job that fails is tried again, and its effects happen once', async () => {
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, sleepJob, { name: 'fails', sleepMs: 0, failTimes: 1 }))
  await expect.poll(async () => (await notesOf(it.app, 'fails')).at(-1)?.what).toBe('finished')
  const notes = await notesOf(it.app, 'fails')
  expect(notes.map((note) => [note.what, note.attempt])).toEqual([
    ['started', 1],
    ['started', 2],
    ['finished', 2],
  ])
})

test('a job whose attempts are spent becomes a dead letter that can be seen and redriven', async () => {
  await it.app.db.transaction((tx) => it.app.jobs.enqueue(tx, doomedJob, { name: 'doomed' }))
  await expect.poll(async () => (await it.app.jobs.listDeadLetters(10)).length).toBe(1)
  const [letter] = await it.app.jobs.listDeadLetters(10)
  expect(letter).toMatchObject({ job: 'test.doomed', attempts: 2, error: 'the cause is still there' })
  expect((await it.app.jobs.listQueues()).find((queue) => queue.name === 'test.doomed')?.dead).toBe(1)

  await it.app.db.query(`insert into test_note (name, what) values ('doomed', 'cured')`)
  expect(await it.app.jobs.redrive('test.sleep')).toBe(0)
  expect(await it.app.jobs.redrive('test.doomed')).toBe(1)
  await it.settle()
  expect(await it.app.jobs.listDeadLetters(10)).toEqual([])
})

test('jobs of one process run side by side, up to their concurrency', async () => {
  await it.app.db.transaction(async (tx) => {
    for (let job = 0; job < 20; job += 1) await it.app.jobs.enqueue(tx, sleepJob, { name: `side ${job}`, sleepMs: 300 })
  })
  await it.settle()
  const [{ most } = { most: 0 }] = await it.app.db.query<{ most: number }>(
    `select max(running)::int as most from (select sum(case what when 'started' then 1 else -1 end) over (order by id) as running
     from test_note where name like 'side %') as counted`,
  )
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(10)
})

test('jobs of a worker that is killed or hangs run elsewhere long before their time is over, and the late worker cannot finish them', async () => {
  await using watcher = await startTestService()
  const { databaseUrl } = watcher.config
  await watcher.app.db.query(CREATE_NOTES)
  const victims = await Promise.all([startWorker(databaseUrl), startWorker(databaseUrl)])
  const [killed, paused] = victims
  const others: Program[] = []
  try {
    // More than one process takes at once, so both victims get some.
    await watcher.app.db.transaction(async (tx) => {
      for (let job = 0; job < 14; job += 1)
        await watcher.app.jobs.enqueue(tx, sleepJob, { name: `job ${job}`, sleepMs: 12_000 })
    })
    const started = `select count(distinct name)::int as names, count(distinct pid)::int as pids from test_note`
    await expect.poll(() => watcher.app.db.query(started)).toEqual([{ names: 14, pids: 2 }])
    const rescuer = await startWorker(databaseUrl)
    others.push(rescuer)
    const killedAt = Date.now()
    await killed.kill()
    paused.child.kill('SIGSTOP')

    const rescues: number[] = []
    for (let job = 0; job < 14; job += 1) {
      const findSecond = async () => (await notesOf(watcher.app, `job ${job}`)).find((note) => note.attempt === 2)
      await expect.poll(findSecond).toBeDefined()
      rescues.push(((await findSecond())?.at.getTime() ?? 0) - killedAt)
    }
    // Their own time is 120 s. Without another load on the machine it takes at most 15 s.
    expect(Math.max(...rescues)).toBeLessThanOrEqual(60_000)
    console.info(
      `jobs of a killed and a hanging worker ran elsewhere after ${Math.min(...rescues)}–${Math.max(...rescues)} ms`,
    )

    // The hanging worker goes on and tries to finish what it no longer holds.
    paused.child.kill('SIGCONT')
    await watcher.settle()
    await sleep(3_000)
    const finished = `select name from test_note where what = 'finished' group by name having count(*) = 1`
    expect(await watcher.app.db.query(finished)).toHaveLength(14)
  } finally {
    for (const each of [...victims, ...others]) each.child.kill('SIGKILL')
  }
})

test('a worker told to stop finishes its job first', async () => {
  await using watcher = await startTestService()
  const { databaseUrl } = watcher.config
  await watcher.app.db.query(CREATE_NOTES)
  const worker = await startWorker(databaseUrl)
  await watcher.app.db.transaction((tx) => watcher.app.jobs.enqueue(tx, sleepJob, { name: 'last', sleepMs: 1_500 }))
  await expect.poll(async () => (await notesOf(watcher.app, 'last')).length).toBe(1)
  expect(await worker.stop()).toBe(0)
  expect((await notesOf(watcher.app, 'last')).map((note) => [note.what, note.attempt])).toEqual([
    ['started', 1],
    ['finished', 1],
  ])
})

test('several deployers may migrate at once', async () => {
  const fresh = new URL(it.config.databaseUrl)
  const name = `fresh_${Date.now()}`
  await it.app.db.query(`create database ${name}`)
  fresh.pathname = `/${name}`
  const config = { ...it.config, databaseUrl: fresh.href }
  const ran = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(config, it.app.log)))
  expect(ran.filter((names) => names.length > 0)).toHaveLength(1)
  await it.app.db.query(`drop database ${name} with (force)`)
})

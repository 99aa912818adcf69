#!/usr/bin/env node
import { runClient } from './program.ts'

process.exitCode = await runClient(process.argv.slice(2))

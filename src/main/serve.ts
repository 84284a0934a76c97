#!/usr/bin/env node
import { runService } from './serve/run-service.ts';

process.exitCode = await runService();

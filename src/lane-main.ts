#!/usr/bin/env node
import { runInferenceProcess } from './app/inference-process.ts';

const CHANNEL_DESCRIPTOR = 3;

runInferenceProcess(CHANNEL_DESCRIPTOR, process.argv.slice(2));

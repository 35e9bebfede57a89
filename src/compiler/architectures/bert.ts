import type { Architecture } from './architecture.ts';
import { bertLike } from './bert-like.ts';

export const bert: Architecture = bertLike('bert');

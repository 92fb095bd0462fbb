// What the grader and the parts of the page tell each other.

/** A node as `grader/web/messages/question_records.py` writes it; nodes are in preorder. */
interface TreeNode {
  parent: number;
  player: string | null;
  name: string;
  title: string;
  given: boolean;
  word: string | null;
  spelled: string;
  path: number;
  payoff: string | null;
  shown: string;
  move: string | null;
  label: string | null;
  chance: string | null;
  claim: string | null;
  crossed: boolean;
  attributes: string;
  known: string;
  board: string[][];
}

interface Question {
  id: string;
  kind: string;
  prompt: string;
  question: string;
  labels: string[];
  special: string;
  rules: string[];
  asked: number[];
  touch: string;
  choices: { reply: string; text: string }[];
  signs: string[];
  example: string;
  several_lines: boolean;
  names: boolean;
  paths: boolean;
  nothing: string;
  nodes: TreeNode[];
}

interface Asked {
  exercise: any;
  question: Question;
}

/** A question that is being answered, as it survives a reload. */
interface KeptQuestion {
  language: string;
  kind: string;
  level: string;
  asked: Asked;
  reply: string;
  hints: number;
  tries: number;
  counts: boolean;
}

interface Fault {
  message: string;
  hint: string;
  line?: number;
  column?: number;
}

/** What is marked at a node: the sign, what is heard, and what should be there. */
interface NodeMark {
  sign: string;
  said: string;
  better?: string;
}

/** What a picture shows beyond the tree itself. */
interface Picture {
  bars?: Set<number>;
  values?: Map<number, string>;
  windows?: Map<number, string>;
  order?: Map<number, number>;
  chosen?: Set<number>;
  lit?: Set<number>;
  current?: number;
  marks?: Map<number, NodeMark>;
}

/** What somebody did to a tree in place of writing a reply. */
interface Done {
  crossed: Set<number>;
  values: Map<number, string>;
  windows: Map<number, string[]>;
  order: number[];
  chosen: number;
  picked: Set<number>;
}

/** One reply and what came of it, as it is kept in the browser. */
interface Entry {
  time: number;
  exercise: string;
  kind: string;
  level: string;
  reply: string;
  points: string;
  max: string;
  notes: string[];
  try?: number;
}

interface TraceEvent {
  event: string;
  node: number;
}

/** A question about a search, as `grader/web/messages/guided_trace.py` writes it. */
interface TraceStep {
  asks: "move" | "window" | "value";
  node: number;
  to: number | null;
  enters: boolean;
  numbers: string[];
  pruned: number[];
  words: string;
}

/** A step of minimax search, as `grader/web/messages/minimax_steps.py` writes it. */
interface MinimaxStep {
  node: number;
  value: string | null;
}

interface Step {
  node: number;
  words: string;
  events: TraceEvent[];
  is_open: boolean;
  values: Record<string, string>;
  windows: Record<string, string[]>;
  pruned: number[];
}

/** How many replies have one misconception, or say the same, in each try. */
interface CountRow {
  category: string;
  label: string;
  counts: number[];
}

/** What `Classroom.state` of `grader/web/classroom.py` says of the question of a class. */
interface ClassState {
  view: string;
  slide: number;
  phones: number;
  number: number;
  kind?: string;
  attempt?: number;
  is_open?: boolean;
  is_revealed?: boolean;
  is_shared?: boolean;
  answered: number[];
  waiting?: number;
  counts?: CountRow[];
  crossed?: Record<string, number[]>;
}

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

interface Fault {
  message: string;
  hint: string;
  line?: number;
  column?: number;
}

/** What is marked at a node: the sign, and what is heard. */
interface NodeMark {
  sign: string;
  said: string;
}

/** What a picture shows beyond the tree itself. */
interface Picture {
  bars?: Set<number>;
  values?: Map<number, string>;
  windows?: Map<number, string>;
  order?: Map<number, number>;
  chosen?: Set<number>;
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
}

interface Step {
  node: number;
  words: string;
  values: Record<string, string>;
  windows: Record<string, string[]>;
  pruned: number[];
}

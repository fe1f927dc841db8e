import { mcpElicitation } from "./elicitation/mcp.js";
import { userInput } from "./elicitation/user-input.js";
import { commandApproval } from "./permissions/command.js";
import { fileChangeApproval } from "./permissions/file-change.js";
import { permissionsApproval } from "./permissions/grant.js";
import type { Questions } from "./question.js";
import { clientToolCall } from "./tools/call.js";

/** What Codex asks of the user, by the key of its request. A request that the contract translates must stand here. */
export const defaultQuestions = {
  itemCommandExecutionRequestApproval: commandApproval,
  itemFileChangeRequestApproval: fileChangeApproval,
  itemPermissionsRequestApproval: permissionsApproval,
  mcpServerElicitationRequest: mcpElicitation,
  itemToolCall: clientToolCall,
  itemToolRequestUserInput: userInput,
} satisfies Questions;

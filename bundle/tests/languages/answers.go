// Prints what tests/c/answers.c prints.
package main

/*
#include <spvb.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
)

func main() {
	content, err := os.ReadFile(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	// The bundle keeps a pointer to the bytes, so they are those of C.
	bytes := C.CBytes(content)
	defer C.free(bytes)
	var bundle *C.spvb_bundle
	if C.spvb_open(bytes, C.size_t(len(content)), &bundle) != C.SPVB_OK {
		os.Exit(3)
	}
	defer C.spvb_close(bundle)
	questions := uint32(C.spvb_question_count(bundle))
	answers := make([]C.uint8_t, questions+1)
	for shader := C.uint32_t(0); shader < C.spvb_shader_count(bundle); shader++ {
		text := C.spvb_shader_name(bundle, shader)
		name := C.GoStringN(text.text, C.int(text.size))
		for seed := uint32(0); seed < 4; seed++ {
			for question := uint32(0); question < questions; question++ {
				var kind C.spvb_kind
				C.spvb_question(bundle, C.uint32_t(question), &kind)
				kinds := uint8(3)
				if seed < 2 {
					kinds = 2
				}
				answers[question] = C.uint8_t(uint8((seed*2654435761+question*40503)>>5) % kinds)
				if kind == C.SPVB_REQUIREMENT && seed%2 == 0 {
					answers[question] = C.SPVB_YES
				}
			}
			var choice C.spvb_choice
			if status := C.spvb_select(bundle, shader, &answers[0], &choice); status != C.SPVB_OK {
				fmt.Printf("%s %d status %d %d\n", name, seed, status, C.spvb_reasons(bundle, shader, &answers[0], nil, 0))
				continue
			}
			words := make([]C.uint32_t, choice.words)
			if C.spvb_write(bundle, &choice, &words[0], nil) != C.SPVB_OK {
				os.Exit(4)
			}
			sum := uint32(0)
			for _, word := range words {
				sum = sum*31 + uint32(word)
			}
			fmt.Printf("%s %d %d %d %x\n", name, seed, len(words), sum, uint64(choice.key))
		}
	}
}
